package dev.neurontest.internal.judgement;

import org.apiguardian.api.API;

/**
 * An expectation that does not apply to what a test did: there is nothing that could meet or violate it. It is neither passed nor undecided.
 *
 * @param rule text of the expectation as the user wrote it
 * @param subject subject of the expectation
 * @param reason reason why it does not apply
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record NotApplicable(String rule, String subject, String reason) {}
