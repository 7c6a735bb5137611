#ifndef CWAYMARK_DOCUMENTS_H
#define CWAYMARK_DOCUMENTS_H

#include <stddef.h>

/// A file of the repository, as it was when this was compiled.
typedef struct {
    /// Of documentation from the root of the repository, of a public file from the folder `Public`.
    const char *path;
    const unsigned char *bytes;
    size_t count;
} waymark_document;

/// A page of the documentation; null past the last one.
const waymark_document *waymark_document_at(size_t index);

/// A file of the folder `Public`; null past the last one.
const waymark_document *waymark_public_file_at(size_t index);

#endif
