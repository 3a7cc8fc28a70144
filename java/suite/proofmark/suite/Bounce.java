package proofmark.suite;

/**
 * Bouncing balls: 100 balls with random places and speeds move in a box and are counted when they hit a wall.
 *
 * <p>Size: 100 balls, 50 steps, a box of 500 x 500. Expected: 1331 ball-steps with a bounce, with the numbers of
 * {@link Lcg}: place 0 to 499 and speed -150 to 149 on each axis, drawn x, y, then speed x, speed y.
 *
 * <p>Described in: the published accounts of the classic "Bounce" micro benchmark (Self and Smalltalk suites).
 */
public final class Bounce extends Program {
    private static final int BALLS = 100;
    private static final int STEPS = 50;
    private static final int BOUNCES = 1331;

    @Override
    public Object run() {
        Ball[] balls = makeBalls(new Lcg());
        int bounces = 0;
        for (int step = 0; step < STEPS; step++) {
            for (Ball ball : balls) {
                if (ball.move()) {
                    bounces++;
                }
            }
        }
        return bounces;
    }

    @Override
    public boolean check(Object result) {
        return result.equals(BOUNCES);
    }

    @Override
    public int repetitions() {
        return 1500;
    }

    private static Ball[] makeBalls(Lcg random) {
        Ball[] balls = new Ball[BALLS];
        for (int i = 0; i < BALLS; i++) {
            balls[i] = new Ball(random);
        }
        return balls;
    }

    /** A point that flies straight on until a wall throws it back. */
    private static final class Ball {
        private static final int WALL = 500;
        private static final int TOP_SPEED = 150;

        private int x;
        private int y;
        private int speedX;
        private int speedY;

        Ball(Lcg random) {
            x = random.below(WALL);
            y = random.below(WALL);
            speedX = random.below(2 * TOP_SPEED) - TOP_SPEED;
            speedY = random.below(2 * TOP_SPEED) - TOP_SPEED;
        }

        /** One step; true when a wall was hit. */
        boolean move() {
            x += speedX;
            y += speedY;
            boolean hitSide = bounceOffSides();
            boolean hitEnd = bounceOffEnds();
            return hitSide || hitEnd;
        }

        private boolean bounceOffSides() {
            if (x > WALL) {
                x = WALL;
                speedX = -Math.abs(speedX);
                return true;
            }
            if (x < 0) {
                x = 0;
                speedX = Math.abs(speedX);
                return true;
            }
            return false;
        }

        private boolean bounceOffEnds() {
            if (y > WALL) {
                y = WALL;
                speedY = -Math.abs(speedY);
                return true;
            }
            if (y < 0) {
                y = 0;
                speedY = Math.abs(speedY);
                return true;
            }
            return false;
        }
    }
}
