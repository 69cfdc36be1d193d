import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.rowNumber;
import static org.jooq.impl.DSL.sum;
import static org.jooq.impl.DSL.table;

import java.sql.DriverManager;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** A table, inserts, groups, a window function, and the SQL of other dialects. */
public class Jooq {
    public static void main(String[] args) throws Exception {
        java.util.logging.LogManager.getLogManager().reset();
        try (var connection = DriverManager.getConnection("jdbc:h2:mem:test")) {
            var dsl = DSL.using(connection, SQLDialect.H2);
            var id = field(name("ID"), SQLDataType.INTEGER);
            var kind = field(name("KIND"), SQLDataType.VARCHAR(10));
            var cost = field(name("COST"), SQLDataType.DECIMAL(10, 2));
            var goods = table(name("GOODS"));
            dsl.createTable(goods).column(id).column(kind).column(cost).execute();
            for (int i = 0; i < 30; i++) dsl.insertInto(goods, id, kind, cost).values(i, "k" + i % 4, java.math.BigDecimal.valueOf(i * 37 % 101, 1)).execute();
            System.out.println(dsl.select(kind, count(), sum(cost)).from(goods).groupBy(kind).orderBy(kind).fetch());
            System.out.println(dsl.select(id, kind, rowNumber().over().partitionBy(kind).orderBy(cost.desc(), id)).from(goods).orderBy(kind, cost.desc(), id)
                .limit(8).fetch().formatCSV());
            var query = dsl.selectFrom(goods).where(cost.gt(java.math.BigDecimal.ONE)).limit(3).offset(2);
            for (SQLDialect dialect : new SQLDialect[] {SQLDialect.POSTGRES, SQLDialect.MYSQL, SQLDialect.SQLITE, SQLDialect.DERBY})
                System.out.println(DSL.using(dialect).renderInlined(query));
        }
    }
}
