/** What single instructions and DMA transfers of one profile took, out of the full JSON or the tables. */
@NullMarked
package dev.neurontest.profile.event;

import org.jspecify.annotations.NullMarked;
