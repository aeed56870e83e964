package dev.neurontest.internal.export;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OtlpPublisherIT {

    private static final RunPoints POINTS = ExportFixture.ordinary();

    private static PublishResult publish(String url, String headers) {
        return new OtlpPublisher(url, headers).publish(POINTS);
    }

    private static PublishResult publish(String url) {
        return publish(url, "");
    }

    @Nested
    class Requests {

        @Test
        void arePostedToMetricsPathWithHeaders() throws IOException {
            try (LoopbackServer server = new LoopbackServer(LoopbackServer.status(200, "{}"))) {
                // when
                PublishResult published = publish(server.url(), "api-key=se%20cret,x-tenant=a+b");

                // then
                assertThat(published)
                        .hasToString("published to otlp %s/v1/metrics: %s numbers"
                                .formatted(server.url(), POINTS.points().size()));
                assertThat(server.received().method()).isEqualTo("POST");
                assertThat(server.received().target()).isEqualTo("/v1/metrics");
                assertThat(server.received().header("Content-type")).isEqualTo("application/json");
                assertThat(server.received().header("Api-key")).isEqualTo("se cret");
                assertThat(server.received().header("X-tenant")).isEqualTo("a+b");
                assertThat(server.received().content()).isEqualTo(OtlpJson.of(POINTS));
            }
        }

        @ParameterizedTest
        @CsvSource({"/, /v1/metrics", "/otlp/, /otlp/v1/metrics", "/v1/metrics, /v1/metrics"})
        void addMetricsPathOnlyWhenUrlLacksIt(String given, String path) throws IOException {
            try (LoopbackServer server = new LoopbackServer(LoopbackServer.status(200, ""))) {
                // when
                publish(server.url() + given);

                // then
                assertThat(server.received().target()).isEqualTo(path);
            }
        }

        @Test
        void reportNumbersThatServerRejected() throws IOException {
            // given
            String answer = "{\"partialSuccess\": {\"rejectedDataPoints\": \"3\", \"errorMessage\": \"too old\"}}";
            try (LoopbackServer server = new LoopbackServer(LoopbackServer.status(200, answer))) {
                // when
                PublishResult published = publish(server.url());

                // then
                assertThat(published.done()).isFalse();
                assertThat(published.details())
                        .isEqualTo("the server rejected 3 of %s numbers"
                                .formatted(POINTS.points().size()));
            }
        }

        @Test
        void sendUserAndPasswordWithoutShowingThem() throws IOException {
            try (LoopbackServer server = new LoopbackServer(LoopbackServer.status(500, "no bot:pa55word here"))) {
                // when
                PublishResult published = publish(server.url().replace("//", "//bot:pa55word@"));

                // then
                assertThat(server.received().header("Authorization")).isEqualTo("Basic Ym90OnBhNTV3b3Jk");
                assertThat(published.toString()).doesNotContain("pa55word", "Ym90OnBhNTV3b3Jk");
            }
        }
    }

    @Nested
    class Failures {

        @Test
        void errorAnswerIsShownWithoutSecrets() throws IOException {
            // given
            LoopbackServer.Answer answer = LoopbackServer.status(401, "unauthorized:\n token t0ps3cret is not known");
            try (LoopbackServer server = new LoopbackServer(answer)) {
                // when
                PublishResult published = publish(server.url() + "?token=0ther", "authorization=Token%20t0ps3cret");

                // then
                assertThat(published)
                        .hasToString("NOT published to otlp %s/v1/metrics: the server answered 401: unauthorized:"
                                        .formatted(server.url())
                                + " token *** is not known");
            }
        }

        @Test
        void unreachableServerIsReported() throws IOException {
            // given
            int port;
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = socket.getLocalPort();
            }

            // when
            PublishResult published = publish("http://localhost:" + port);

            // then
            assertThat(published.done()).isFalse();
            assertThat(published.details()).isEqualTo("there is no server, or it cannot be reached");
        }

        @Test
        void serverWithoutAnswerTimesOut() throws IOException {
            // given
            CountDownLatch done = new CountDownLatch(1);
            try (LoopbackServer server = new LoopbackServer(exchange -> waitFor(done))) {
                OtlpPublisher publisher = new OtlpPublisher(server.url(), "", Duration.ofMillis(300));

                // when
                PublishResult published = publisher.publish(POINTS);

                // then
                assertThat(published.details()).isEqualTo("there was no answer within 300 ms");
            } finally {
                done.countDown();
            }
        }

        @Test
        void serverWithUnfinishedAnswerTimesOut() throws IOException {
            // given
            CountDownLatch done = new CountDownLatch(1);
            try (LoopbackServer server = new LoopbackServer(exchange -> {
                exchange.sendResponseHeaders(500, 0);
                exchange.getResponseBody().write("bro".getBytes(StandardCharsets.UTF_8));
                exchange.getResponseBody().flush();
                waitFor(done);
            })) {
                OtlpPublisher publisher = new OtlpPublisher(server.url(), "", Duration.ofMillis(300));

                // when
                PublishResult published = publisher.publish(POINTS);

                // then
                assertThat(published.details()).isEqualTo("there was no answer within 300 ms");
            } finally {
                done.countDown();
            }
        }

        @Test
        void onlyBeginningOfEndlessAnswerIsRead() throws IOException {
            // given
            byte[] flood = "flood ".repeat(10_000).getBytes(StandardCharsets.UTF_8);
            CountDownLatch hungUp = new CountDownLatch(1);
            try (LoopbackServer server = new LoopbackServer(exchange -> {
                exchange.sendResponseHeaders(500, 0);
                try {
                    while (true) {
                        exchange.getResponseBody().write(flood);
                    }
                } finally {
                    hungUp.countDown();
                }
            })) {
                // when
                PublishResult published = publish(server.url());

                // then
                assertThat(published.details())
                        .startsWith("the server answered 500: flood flood")
                        .hasSizeLessThan(400);
                await().untilAsserted(() -> assertThat(hungUp.getCount()).isZero());
            }
        }

        @Test
        void redirectIsNotFollowed() throws IOException {
            try (LoopbackServer other = new LoopbackServer(LoopbackServer.status(200, ""));
                    LoopbackServer server = new LoopbackServer(exchange -> {
                        exchange.getResponseHeaders().add("Location", other.url());
                        exchange.sendResponseHeaders(307, -1);
                        exchange.close();
                    })) {
                // when
                PublishResult published = publish(server.url());

                // then
                assertThat(published.details()).isEqualTo("the server answered 307");
            }
        }

        @Test
        void invalidHeaderIsReportedWithoutValue() {
            // when
            PublishResult published = publish("http://localhost:1", "api-key=s3cret%0Ax");

            // then
            assertThat(published.done()).isFalse();
            assertThat(published.details()).contains("check the headers").doesNotContain("s3cret");
        }

        private static void waitFor(CountDownLatch done) throws InterruptedIOException {
            try {
                done.await();
            } catch (InterruptedException e) {
                throw new InterruptedIOException();
            }
        }
    }

    @Nested
    class Targets {

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                ''              | it is not the URL of a server. Expected a URL such as http://collector:4318
                collector:4318  | it is not the URL of a server. Expected a URL such as http://collector:4318
                http://a b      | the URL is malformed at character
                """)
        void invalidUrlIsRefused(String target, String message) {
            // then
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new OtlpPublisher(target, ""))
                    .withMessageStartingWith(message);
        }

        @Test
        void passwordOfMalformedUrlIsNotShown() {
            // then
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new OtlpPublisher("http://bot:pa55word@ho st", ""))
                    .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("pa55word"));
        }
    }
}
