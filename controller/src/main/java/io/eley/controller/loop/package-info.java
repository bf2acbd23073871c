/**
 * The two loops of a deployment: from what is known of phases to permits and the ledger, and from
 * plans to orders. Pure: the process of a coordinator and the simulation run the same classes.
 */
@NullMarked
package io.eley.controller.loop;

import org.jspecify.annotations.NullMarked;
