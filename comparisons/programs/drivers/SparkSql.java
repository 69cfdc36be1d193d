import static org.apache.spark.sql.functions.col;

import org.apache.spark.sql.SparkSession;

/** A local session: a range, groups, a join and a window in SQL. */
public class SparkSql {
    public static void main(String[] args) {
        SparkSession spark = SparkSession.builder().master("local[2]").config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1").config("spark.sql.shuffle.partitions", "2").getOrCreate();
        spark.range(1000).withColumn("k", col("id").mod(7)).createOrReplaceTempView("t");
        spark.sql("select k, count(*) n, sum(id) s, avg(id) a from t group by k order by k").show();
        spark.sql("select a.k, max(b.id) m from t a join t b on a.id = b.id + 1 where a.k > 3 group by a.k order by a.k").show();
        spark.sql("select id, k, row_number() over (partition by k order by id desc) r from t order by r, k limit 5").show();
        spark.stop();
    }
}
