#if QRCode
    internal import CWaymarkQRCode

    /// All calls of libqrencode.
    ///
    /// The library protects the tables that it builds on first use with a lock, unless it was built without threads;
    /// the packages of Debian, Ubuntu and Homebrew have the lock. So any thread may make symbols.
    enum SymbolEncoder {
        /// The smallest symbol that fits the bytes in byte mode. Nil for no bytes, for more than `byteLimit`, and if
        /// the library can't allocate memory.
        static func modules(for bytes: [UInt8], errorCorrection: ErrorCorrection) -> QRCodeModules? {
            guard !bytes.isEmpty, bytes.count <= errorCorrection.byteLimit else { return nil }
            // unsafe because C takes an address; it is valid inside of the closure, and the limit above is far below
            // the range of Int32. Version 0 means the smallest that fits.
            let symbol = unsafe bytes.withUnsafeBufferPointer { buffer in
                unsafe QRcode_encodeData(Int32(buffer.count), buffer.baseAddress, 0, level(errorCorrection))
            }
            guard let symbol = unsafe symbol else { return nil }
            // unsafe because the symbol is memory of the library: it is owned here until it is freed, and the copy
            // below outlives it.
            defer { unsafe QRcode_free(symbol) }
            let side = unsafe Int(symbol.pointee.width)
            guard (21...177).contains(side), let data = unsafe symbol.pointee.data else { return nil }
            // The lowest bit of a byte is the module's colour; the others describe the module's function.
            // unsafe because the library guarantees width × width bytes at `data`.
            let darkness = unsafe UnsafeBufferPointer(start: data, count: side * side).map { $0 & 1 == 1 }
            return QRCodeModules(side: side, darkness: darkness)
        }

        private static func level(_ errorCorrection: ErrorCorrection) -> QRecLevel {
            switch errorCorrection {
            case .low: QR_ECLEVEL_L
            case .medium: QR_ECLEVEL_M
            case .quartile: QR_ECLEVEL_Q
            case .high: QR_ECLEVEL_H
            }
        }
    }
#endif
