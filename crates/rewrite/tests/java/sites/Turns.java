import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;

/** Sets all sites to so many turns, then runs a class: TURNS CLASS [ARGUMENT...]. Exits arrive here. */
public class Turns {
    public static void exit(int status) {
        System.out.println("exit " + status);
    }

    public static void exit(Runtime runtime, int status) {
        System.out.println("exit of " + runtime.getClass().getSimpleName() + " " + status);
    }

    public static void main(String[] arguments) throws Exception {
        Class<?> sites = Class.forName("java.lang.ProofmarkSites");
        for (String name : new String[] {"from", "into"}) {
            sites.getField(name).set(null, new byte[1 << 14]);
        }
        int[] chain = new int[1 << 16];
        for (int i = 0; i < chain.length; i++) {
            chain[i] = (i + 4097) % chain.length;
        }
        sites.getField("chain").set(null, chain);
        sites.getField("vector").set(null, new int[1 << 13]);
        sites.getField("lock").set(null, new Object());
        int turns = Integer.parseInt(arguments[0]);
        for (Field field : sites.getFields()) {
            if (field.getName().startsWith("k")) {
                field.setInt(null, turns);
            }
        }
        String[] rest = java.util.Arrays.copyOfRange(arguments, 2, arguments.length);
        try {
            Class.forName(arguments[1]).getMethod("main", String[].class).invoke(null, (Object) rest);
        } catch (InvocationTargetException e) {
            e.getCause().printStackTrace(System.out);
        }
        System.out.println("sink " + sites.getField("sink").getInt(null));
    }
}
