#ifndef CWAYMARK_DOCUMENTS_H
#define CWAYMARK_DOCUMENTS_H

#include <stddef.h>

/// A file of the repository, as it was when this was compiled.
typedef struct {
    /// From the root of the repository.
    const char *path;
    const unsigned char *bytes;
    size_t count;
} waymark_document;

/// Null past the last one.
const waymark_document *waymark_document_at(size_t index);

#endif
