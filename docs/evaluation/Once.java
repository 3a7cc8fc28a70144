import java.lang.reflect.Method;

/** Runs a benchmark of the published suite once, and prints nothing: its own harness prints times. */
public final class Once {
  public static void main(String[] arguments) throws ReflectiveOperationException {
    Class<?> type = Class.forName(arguments[0]);
    Object benchmark = type.getDeclaredConstructor().newInstance();
    Method loop = type.getMethod("innerBenchmarkLoop", int.class);
    loop.setAccessible(true);
    if (!(boolean) loop.invoke(benchmark, Integer.parseInt(arguments[1]))) {
      throw new IllegalStateException(arguments[0] + " found a wrong result");
    }
  }
}
