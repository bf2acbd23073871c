/**
 * What the deployment does at this moment, as one document: for the page, for {@code eley top} and
 * for Prometheus. The agent's thread only collects; documents are made while somebody looks.
 */
@NullMarked
package io.eley.coordinator.live;

import org.jspecify.annotations.NullMarked;
