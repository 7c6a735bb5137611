import WaymarkKit

extension WaymarkClient {
    /// A client of the stand-in service. Events go when they are told to, unless the options say otherwise.
    static func standIn(
        _ transport: any HTTPTransport, storage: any ClientStorage = MemoryStorage(),
        clock: any ClientClock = StandInClock(), options: ClientOptions = ClientOptions(sendsEvents: false)
    ) throws -> WaymarkClient {
        try WaymarkClient(
            service: "https://go.example.com", key: "wm_0123456789abcdefghijklmnopqrstuv", options: options,
            storage: storage, transport: transport, clock: clock)
    }
}
