package proofmark.suite;

import java.lang.reflect.Field;

/** Runs each program that Check runs once, and not as often as an iteration has it: counting in a slow twin takes long enough. */
public final class Once {
    private Once() {}

    public static void main(String[] words) throws ReflectiveOperationException {
        Field all = Check.class.getDeclaredField("ALL");
        all.setAccessible(true);
        for (String name : (String[]) all.get(null)) {
            Class<?> type = Class.forName("proofmark.suite." + name);
            report(name, (Program) type.getConstructor().newInstance());
        }
        report("Mandelbrot 500", Mandelbrot.published());
    }

    private static void report(String name, Program program) {
        System.out.println(name + (program.check(program.run()) ? " ok " : " WRONG "));
    }
}
