import Foundation

/// Standard output is buffered where it is no terminal; whoever waits for a line must see it now.
func flushStandardOutput() {
    fflush(nil)
}
