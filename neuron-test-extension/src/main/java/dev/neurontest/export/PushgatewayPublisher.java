package dev.neurontest.export;

/** Replaces a group of a Prometheus Pushgateway. */
final class PushgatewayPublisher implements Publisher {

    private static final String GROUP = "/metrics/job/neuron-test";

    private final Delivery delivery;

    PushgatewayPublisher(Endpoint endpoint) {
        delivery = new Delivery("pushgateway", endpoint.hasPath() ? endpoint : endpoint.with(GROUP, endpoint.query()));
    }

    @Override
    public Published publish(RunPoints points) {
        return delivery.send(
                "PUT",
                "text/plain; version=0.0.4; charset=utf-8",
                PrometheusText.of(points),
                answer -> delivery.done(points.points().size() + " numbers"));
    }
}
