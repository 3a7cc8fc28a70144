/** Types of all kinds for {@link Behaviour}, which has them by inheritance. */
class BehaviourTypes {
    interface Left {
        default String hi() {
            return "left";
        }
    }

    interface Right {
        default String hi() {
            return "right";
        }
    }

    static class Diamond implements Left, Right {
        @Override
        public String hi() {
            return Left.super.hi() + Right.super.hi();
        }
    }

    record Point(int x, int y) {
        Point {
            if (x < 0) {
                throw new IllegalArgumentException();
            }
        }

        double length() {
            return Math.sqrt(x * x + y * y);
        }
    }

    sealed interface Shape permits Circle, Rectangle {
    }

    record Circle(int radius) implements Shape {
    }

    record Rectangle(int width, int height) implements Shape {
    }

    enum Operation {
        PLUS {
            @Override
            int apply(int a, int b) {
                return a + b;
            }
        },
        TIMES {
            @Override
            int apply(int a, int b) {
                return a * b;
            }
        };

        abstract int apply(int a, int b);
    }
}
