/** The description of a host: its instance type, its hardware, its number among servers, and the rules of its driver release. */
@NullMarked
package dev.neurontest.fake.internal.driver.instance;

import org.jspecify.annotations.NullMarked;
