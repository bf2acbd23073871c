/**
 * What an experiment found, and how it is shown: {@code report.json}, a console table, and one
 * self-contained page. Everything here is computed from recorded facts; nothing starts a process.
 */
@NullMarked
package io.eley.report;

import org.jspecify.annotations.NullMarked;
