import java.util.AbstractList;
import java.util.ArrayList;

/** Classes that inherit one method from a class that is not counted, and declare it by two interfaces. */
public class Conflicts {
    interface Sized {
        int size();
    }

    interface Counting {
        int size();
    }

    /** Its {@code size} is that of ArrayList. */
    static class Both extends ArrayList<String> implements Sized, Counting {
    }

    /** One interface above, the other here. */
    static class One extends ArrayList<String> implements Sized {
    }

    static class Two extends One implements Counting {
    }

    /** A method of its own below. */
    static class Own extends Both {
        @Override
        public int size() {
            return 40 + super.size();
        }
    }

    /** An interface above both. */
    interface Each extends Sized, Counting {
    }

    static class ByEach extends ArrayList<String> implements Each {
    }

    /** One above the other is no conflict. */
    interface Nearer extends Sized {
        @Override
        int size();
    }

    static class Near extends ArrayList<String> implements Nearer, Sized {
    }

    /** Both are abstract until below. */
    abstract static class Open extends AbstractList<String> implements Sized, Counting {
    }

    static class Closed extends Open {
        @Override
        public String get(int at) {
            return "";
        }

        @Override
        public int size() {
            return 7;
        }
    }

    interface Same {
        boolean equals(Object other);
    }

    interface Alike {
        boolean equals(Object other);
    }

    static class Point implements Same, Alike {
    }

    public static void main(String[] arguments) {
        int sum = 0;
        for (int round = 0; round < 100; round++) {
            Object[] all = {new Both(), new Two(), new Own(), new ByEach(), new Near(), new Closed()};
            for (Object one : all) {
                sum += ((Sized) one).size();
                sum += one instanceof Counting ? ((Counting) one).size() : 1000;
            }
            Each lambda = () -> 3;
            sum += lambda.size() + ((Sized) lambda).size() + ((Counting) lambda).size();
            Same same = new Point();
            Alike alike = (Alike) same;
            sum += same.equals(alike) && alike.equals(same) && !same.equals("") ? 10000 : 0;
        }
        System.out.println("sum " + sum);
    }
}
