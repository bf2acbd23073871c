/** Tests on a real parallel file system, where its programs are. */
@NullMarked
package io.eley.system.pfs;

import org.jspecify.annotations.NullMarked;
