import java.io.IOException;
import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;

/** Lucene indexes 40 documents of 200 words each in memory. */
public final class Index {
    private static final String[] TEXTS = texts();

    private Index() {
    }

    private static String[] texts() {
        Random random = new Random(5);
        String[] texts = new String[40];
        for (int text = 0; text < texts.length; text++) {
            StringBuilder words = new StringBuilder();
            for (int word = 0; word < 200; word++) {
                words.append(Integer.toString(1000 + (int) (3000 * random.nextDouble() * random.nextDouble()), 30)).append(' ');
            }
            texts[text] = words.toString();
        }
        return texts;
    }

    public static void main(String[] arguments) throws IOException {
        IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer()).setUseCompoundFile(false);
        try (ByteBuffersDirectory directory = new ByteBuffersDirectory();
                IndexWriter writer = new IndexWriter(directory, config)) {
            for (String text : TEXTS) {
                Document document = new Document();
                document.add(new TextField("text", text, Field.Store.NO));
                writer.addDocument(document);
            }
            writer.commit();
            System.out.println(directory.listAll().length);
        }
    }
}
