package dev.neurontest.internal.export;

import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The tested source.
 *
 * @param commit the id of the commit; empty if it is not known
 * @param branch the name of the branch; empty if it is not known
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Provenance(String commit, String branch) {

    private static final List<String> COMMITS = List.of("GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT");

    /** Variables with the branch. That of a pull request comes first, before the branch that GitHub merged for it. */
    private static final List<String> BRANCHES =
            List.of("GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_COMMIT_REF_NAME", "BRANCH_NAME", "GIT_BRANCH");

    /**
     * Reads commit and branch from the variables of GitHub Actions, GitLab or Jenkins.
     *
     * @return commit and branch, as far as they are known
     */
    public static Provenance of(Map<String, String> environment) {
        return new Provenance(first(COMMITS, environment), first(BRANCHES, environment));
    }

    private static String first(List<String> names, Map<String, String> environment) {
        return names.stream()
                .map(name -> environment.getOrDefault(name, "").strip())
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("");
    }
}
