package dev.neurontest.export;

/** Writes to InfluxDB 2, or to what understands its line protocol. */
final class InfluxPublisher implements Publisher {

    private static final String PATH = "/api/v2/write";

    private final Delivery delivery;

    /**
     * @param endpoint with the bucket in its query
     * @param token may be empty
     */
    InfluxPublisher(Endpoint endpoint, String token) {
        if (!endpoint.hasPath() && !endpoint.query().matches("(.*&)?bucket=[^&]+.*")) {
            throw new IllegalArgumentException(
                    "the URL names no bucket. Expected such as influx=http://influx:8086?org=acme&bucket=neuron");
        }
        String query = endpoint.query().isEmpty() ? "precision=ns" : endpoint.query() + "&precision=ns";
        delivery = new Delivery(
                "influx", endpoint.with(endpoint.hasPath() ? endpoint.uri().getRawPath() : PATH, query));
        if (!token.isBlank()) {
            delivery.header("Authorization", "Token " + token.strip());
        }
    }

    @Override
    public Published publish(RunPoints points) {
        return delivery.send(
                "POST",
                "text/plain; charset=utf-8",
                LineProtocol.of(points),
                answer -> delivery.done(points.points().size() + " numbers"));
    }
}
