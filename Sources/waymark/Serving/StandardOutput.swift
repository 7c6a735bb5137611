import Foundation

/// Standard output is buffered if it is not a terminal, but readers need the line now.
func flushStandardOutput() {
    fflush(nil)
}
