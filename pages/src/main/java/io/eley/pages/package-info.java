/**
 * Pages for people that need nothing else to be read: what such a page is made of, and the page of
 * the ledger. Nothing here reads a deployment or starts a thread.
 */
@NullMarked
package io.eley.pages;

import org.jspecify.annotations.NullMarked;
