/** What was measured before, reviewed and kept in the repository, and whether what is measured now is worse. */
@NullMarked
package dev.neurontest.baseline;

import org.jspecify.annotations.NullMarked;
