package proofmark.suite;

/**
 * Five bodies: the sun and the four giant planets attract each other; the energy is known after the last step.
 *
 * <p>Size: 250 000 steps of 0.01 years. Expected: the energy -0.1690859889909308, to the last bit; published, and
 * computed again by an independent program. The last bits hold for the order of operations written here.
 *
 * <p>Described in: the "n-body" task of the Computer Language Benchmarks Game: positions and speeds from NASA's
 * JPL ephemeris, in astronomical units, years and solar masses of 4 pi^2, symplectic Euler steps.
 */
public final class NBody extends Program {
    private static final int STEPS = 250_000;
    private static final double ENERGY = -0.1690859889909308;
    private static final double STEP_LENGTH = 0.01;

    @Override
    public Object run() {
        Planets planets = new Planets();
        for (int i = 0; i < STEPS; i++) {
            planets.advance(STEP_LENGTH);
        }
        return planets.energy();
    }

    @Override
    public boolean check(Object result) {
        return result.equals(ENERGY);
    }

    @Override
    public int repetitions() {
        return 1;
    }

    /** The bodies, with the sun moving so that the whole has no momentum. */
    private static final class Planets {
        private final Body[] bodies = {
            Body.sun(), Body.jupiter(), Body.saturn(), Body.uranus(), Body.neptune(),
        };

        Planets() {
            Body sun = bodies[0];
            for (Body body : bodies) {
                sun.takeMomentumOf(body);
            }
        }

        void advance(double time) {
            for (int i = 0; i < bodies.length; i++) {
                for (int j = i + 1; j < bodies.length; j++) {
                    bodies[i].attract(bodies[j], time);
                }
            }
            for (Body body : bodies) {
                body.move(time);
            }
        }

        double energy() {
            double sum = 0.0;
            for (int i = 0; i < bodies.length; i++) {
                sum += bodies[i].kineticEnergy();
                for (int j = i + 1; j < bodies.length; j++) {
                    sum -= bodies[i].bindingEnergy(bodies[j]);
                }
            }
            return sum;
        }
    }

    /** A mass with a place and a speed. */
    private static final class Body {
        private static final double SOLAR_MASS = 4.0 * Math.PI * Math.PI;
        private static final double DAYS_PER_YEAR = 365.24;

        private final double mass;
        private double x;
        private double y;
        private double z;
        private double vx;
        private double vy;
        private double vz;

        /** Place in astronomical units, speed in those per day, mass in solar masses. */
        Body(double x, double y, double z, double vx, double vy, double vz, double mass) {
            this.x = x;
            this.y = y;
            this.z = z;
            this.vx = vx * DAYS_PER_YEAR;
            this.vy = vy * DAYS_PER_YEAR;
            this.vz = vz * DAYS_PER_YEAR;
            this.mass = mass * SOLAR_MASS;
        }

        static Body sun() {
            return new Body(0, 0, 0, 0, 0, 0, 1);
        }

        static Body jupiter() {
            return new Body(
                    4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01,
                    1.66007664274403694e-03, 7.69901118419740425e-03, -6.90460016972063023e-05,
                    9.54791938424326609e-04);
        }

        static Body saturn() {
            return new Body(
                    8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01,
                    -2.76742510726862411e-03, 4.99852801234917238e-03, 2.30417297573763929e-05,
                    2.85885980666130812e-04);
        }

        static Body uranus() {
            return new Body(
                    1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01,
                    2.96460137564761618e-03, 2.37847173959480950e-03, -2.96589568540237556e-05,
                    4.36624404335156298e-05);
        }

        static Body neptune() {
            return new Body(
                    1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01,
                    2.68067772490389322e-03, 1.62824170038242295e-03, -9.51592254519715870e-05,
                    5.15138902046611451e-05);
        }

        void takeMomentumOf(Body other) {
            vx -= other.vx * other.mass / SOLAR_MASS;
            vy -= other.vy * other.mass / SOLAR_MASS;
            vz -= other.vz * other.mass / SOLAR_MASS;
        }

        void attract(Body other, double time) {
            double dx = x - other.x;
            double dy = y - other.y;
            double dz = z - other.z;
            double square = dx * dx + dy * dy + dz * dz;
            double strength = time / (square * Math.sqrt(square));
            push(-dx, -dy, -dz, other.mass, strength);
            other.push(dx, dy, dz, mass, strength);
        }

        private void push(double dx, double dy, double dz, double attractor, double strength) {
            vx += dx * attractor * strength;
            vy += dy * attractor * strength;
            vz += dz * attractor * strength;
        }

        void move(double time) {
            x += time * vx;
            y += time * vy;
            z += time * vz;
        }

        double kineticEnergy() {
            return 0.5 * mass * (vx * vx + vy * vy + vz * vz);
        }

        double bindingEnergy(Body other) {
            double dx = x - other.x;
            double dy = y - other.y;
            double dz = z - other.z;
            return mass * other.mass / Math.sqrt(dx * dx + dy * dy + dz * dz);
        }
    }
}
