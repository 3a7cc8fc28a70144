import java.util.AbstractList;
import java.util.function.IntBinaryOperator;

/** Types of all kinds for {@link Traps}, which has them by inheritance. */
class TrapTypes {
    static class Numbers extends AbstractList<Integer> {
        @Override
        public Integer get(int index) {
            if (index >= 5) {
                throw new IndexOutOfBoundsException("at " + index);
            }
            return index * 3;
        }

        @Override
        public int size() {
            return 5;
        }
    }

    static class Longer extends Numbers {
        @Override
        public int size() {
            return super.size() - 1;
        }
    }

    interface Left {
        default String hi() {
            return "left";
        }
    }

    interface Right {
        default String hi() {
            return "right" + secret();
        }

        private String secret() {
            return "!";
        }

        static String common() {
            return "static";
        }
    }

    static class Both implements Left, Right {
        @Override
        public String hi() {
            return Left.super.hi() + Right.super.hi() + Right.common();
        }
    }

    interface Shape extends Comparable<Shape> {
        double area();

        @Override
        default int compareTo(Shape other) {
            return Double.compare(area(), other.area());
        }
    }

    record Circle(double radius) implements Shape {
        Circle {
            if (radius < 0) {
                throw new IllegalArgumentException("negative");
            }
        }

        @Override
        public double area() {
            return 3 * radius * radius;
        }
    }

    record Square(double side) implements Shape {
        @Override
        public double area() {
            return side * side;
        }
    }

    enum Op implements IntBinaryOperator {
        ADD {
            @Override
            public int applyAsInt(int a, int b) {
                return a + b;
            }
        },
        TIMES {
            @Override
            public int applyAsInt(int a, int b) {
                return a * b;
            }
        };

        abstract static class Never {
        }
    }

    sealed interface Tree permits Leaf, Fork {
    }

    record Leaf(int value) implements Tree {
    }

    record Fork(Tree left, Tree right) implements Tree {
    }

    static int sum(Tree tree) {
        if (tree instanceof Leaf leaf) {
            return leaf.value();
        }
        Fork fork = (Fork) tree;
        return sum(fork.left()) + sum(fork.right());
    }

    static abstract class Generic<T> {
        abstract T make(T of);

        T twice(T of) {
            return make(make(of));
        }
    }
}
