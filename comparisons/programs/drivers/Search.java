import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.FSDirectory;

/** Indexes documents in a folder, and searches by words, ranges and vectors. */
public class Search {
    static final String[] WORDS = "rain river stone cloud forest bird winter light running swam fields shadow".split(" ");

    public static void main(String[] args) throws Exception {
        try (FSDirectory directory = FSDirectory.open(java.nio.file.Path.of("index"))) {
            var config = new IndexWriterConfig(new EnglishAnalyzer()).setMergeScheduler(new org.apache.lucene.index.SerialMergeScheduler());
            try (IndexWriter writer = new IndexWriter(directory, config)) {
                int seed = 1;
                for (int i = 0; i < 2000; i++) {
                    StringBuilder text = new StringBuilder();
                    for (int w = 0; w < 20; w++) text.append(WORDS[(seed = (seed * 1103515245 + 12345) >>> 1) % WORDS.length]).append(' ');
                    Document document = new Document();
                    document.add(new StringField("id", "d" + i, Field.Store.YES));
                    document.add(new TextField("text", text.toString(), Field.Store.NO));
                    document.add(new IntPoint("n", i));
                    document.add(new KnnFloatVectorField("v", new float[] {i % 7, i % 11, i % 13, 1}));
                    writer.addDocument(document);
                    if (i % 500 == 499) writer.commit();
                }
                writer.forceMerge(1);
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                QueryParser parser = new QueryParser("text", new EnglishAnalyzer());
                for (String text : new String[] {"run AND birds", "\"stone cloud\"~2", "ri* -winter", "shadw~1"}) show(searcher, parser.parse(text));
                show(searcher, IntPoint.newRangeQuery("n", 10, 14));
                show(searcher, new KnnFloatVectorQuery("v", new float[] {3, 5, 7, 1}, 4));
            }
        }
    }

    static void show(IndexSearcher searcher, Query query) throws Exception {
        var top = searcher.search(query, 4);
        System.out.print(query + ": " + top.totalHits + ":");
        for (var hit : top.scoreDocs) System.out.print(" " + searcher.storedFields().document(hit.doc).get("id") + " " + hit.score);
        System.out.println();
    }
}
