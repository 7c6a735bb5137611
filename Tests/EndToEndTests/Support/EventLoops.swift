/// What `--event-loop` takes on this system.
enum EventLoops {
    #if os(Linux)
        static let all = ["epoll", "dispatch"]
    #else
        static let all = ["dispatch"]
    #endif
}
