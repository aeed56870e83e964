/** What a host is: its instance type, its hardware, its place among servers, and the rules of its driver's release. */
@NullMarked
package dev.neurontest.fake.internal.driver.instance;

import org.jspecify.annotations.NullMarked;
