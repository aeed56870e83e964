package dev.neurontest.internal.lease.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.lease.WarningsFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of notifications that are sent after all locks are released. */
class LeaseNewsTest {

    private final List<String> told = new ArrayList<>();
    private final List<LogRecord> logged = new ArrayList<>();
    private final Logger log = Logger.getLogger(LeaseNews.class.getName());
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            logged.add(record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private final LeaseNews news = new LeaseNews(new WarningsFixture(told));

    @BeforeEach
    void readTheLogInPlaceOfTheConsole() {
        log.addHandler(handler);
        log.setUseParentHandlers(false);
    }

    @AfterEach
    void leaveTheLog() {
        log.removeHandler(handler);
        log.setUseParentHandlers(true);
    }

    @Test
    void isReportedOnceInOrder() {
        // given
        news.warn("first");
        news.add(() -> told.add("second"));
        news.report(observer -> observer.warned("third"));
        assertThat(told).isEmpty();

        // when
        news.notifyObservers();
        news.notifyObservers();

        // then
        assertThat(told).containsExactly("first", "second", "third");
        assertThat(logged).isEmpty();
    }

    @Test
    void reportsNewsAddedDuringReport() {
        // given
        news.add(() -> news.warn("later"));

        // when
        news.notifyObservers();

        // then
        assertThat(told).containsExactly("later");
    }

    @Test
    void continuesAfterFailingObserver() {
        // given
        RuntimeException failure = new IllegalStateException("out of order");
        news.report(observer -> {
            throw failure;
        });
        news.warn("next");

        // when
        news.notifyObservers();

        // then
        assertThat(told).containsExactly("next");
        assertThat(logged).singleElement().satisfies(entry -> {
            assertThat(entry.getMessage()).isEqualTo("An observer of leases failed");
            assertThat(entry.getThrown()).isSameAs(failure);
        });
    }
}
