import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;

/**
 * Runs a class of several directories, one after the other: CLASS (DIRECTORY TURNS WORD[,WORD]...)... All sites are set to
 * so many turns; the words are the class's arguments, and - is none. Exits arrive here, and == ends each run.
 */
public class Turns {
    public static void exit(int status) {
        System.out.println("exit " + status);
    }

    public static void exit(Runtime runtime, int status) {
        System.out.println("exit of " + runtime.getClass().getSimpleName() + " " + status);
    }

    /** Everything that a site may read or write, as if no other run had been before. */
    private static void set(Class<?> sites, int turns) throws Exception {
        for (String name : new String[] {"from", "into"}) {
            sites.getField(name).set(null, new byte[1 << 14]);
        }
        int[] chain = new int[1 << 16];
        for (int i = 0; i < chain.length; i++) {
            chain[i] = (i + 4097) % chain.length;
        }
        sites.getField("chain").set(null, chain);
        sites.getField("at").setInt(null, 0);
        sites.getField("vector").set(null, new int[1 << 13]);
        sites.getField("lock").set(null, new Object());
        sites.getField("sink").setInt(null, 0);
        for (Field field : sites.getFields()) {
            if (field.getName().startsWith("k")) {
                field.setInt(null, turns);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Class<?> sites = Class.forName("java.lang.ProofmarkSites");
        for (int at = 1; at < arguments.length; at += 3) {
            set(sites, Integer.parseInt(arguments[at + 1]));
            String[] words = arguments[at + 2].equals("-") ? new String[0] : arguments[at + 2].split(",");
            URL[] places = {new File(arguments[at]).toURI().toURL()};
            ClassLoader own = new URLClassLoader(places, Turns.class.getClassLoader());
            try {
                Class.forName(arguments[0], true, own).getMethod("main", String[].class).invoke(null, (Object) words);
            } catch (InvocationTargetException e) {
                e.getCause().printStackTrace(System.out);
            } catch (LinkageError e) {
                // A class that is not verified: the runs of others say more than a JVM that ends.
                System.out.println(e);
            }
            System.out.println("sink " + sites.getField("sink").getInt(null));
            System.out.println("==");
        }
    }
}
