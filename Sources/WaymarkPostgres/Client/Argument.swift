#if PostgreSQL
    /// A statement's argument, in PostgreSQL's binary format. Arrays are PostgreSQL's: one argument holds a column of
    /// many rows, which `unnest` turns into rows.
    enum Argument: Sendable {
        case number(Int64?)
        /// ASCII only; all other text is passed as bytes, because PostgreSQL's text can't contain U+0000.
        case text(String?)
        case bytes([UInt8]?)
        case null
        case numbers([Int64?])
        case texts([String])
        case byteStrings([[UInt8]?])
        case flags([Bool])

        /// So that a statement needs no cast, even if the argument is NULL; 0: of the context.
        var type: UInt32 {
            switch self {
            case .number: ObjectType.int8
            case .text: ObjectType.text
            case .bytes: ObjectType.bytea
            case .null, .numbers, .texts, .byteStrings, .flags: 0
            }
        }
    }

    /// All arguments of one statement, concatenated.
    struct ArgumentBuffer {
        /// Never empty, so that an empty argument has an address too.
        private(set) var bytes: [UInt8] = [0]
        /// The range of each argument; nil for NULL.
        private(set) var indexes: [Range<Int>?] = []

        init(_ arguments: [Argument]) {
            indexes.reserveCapacity(arguments.count)
            for argument in arguments { add(argument) }
        }

        private mutating func add(_ argument: Argument) {
            let start = bytes.count
            switch argument {
            case .null, .bytes(nil), .number(nil), .text(nil):
                indexes.append(nil)
                return
            case .number(let number?): append(number)
            case .text(let text?): bytes.append(contentsOf: text.utf8)
            case .bytes(let given?): bytes.append(contentsOf: given)
            case .numbers(let numbers):
                array(of: ObjectType.int8, numbers) { buffer, number in buffer.append(number) }
            case .texts(let texts):
                array(of: ObjectType.text, texts) { buffer, text in buffer.bytes.append(contentsOf: text.utf8) }
            case .byteStrings(let strings):
                array(of: ObjectType.bytea, strings) { buffer, string in buffer.bytes.append(contentsOf: string) }
            case .flags(let flags):
                array(of: ObjectType.bool, flags) { buffer, flag in buffer.bytes.append(flag ? 1 : 0) }
            }
            indexes.append(start..<bytes.count)
        }

        /// The format of PostgreSQL's `array_recv`: dimensions, whether there are NULLs, the elements' type, for each
        /// dimension its length and lower bound, and the elements with their lengths (-1: NULL).
        private mutating func array<Element>(
            of type: UInt32, _ elements: [Element?], _ write: (inout ArgumentBuffer, Element) -> Void
        ) {
            append(elements.isEmpty ? 0 : 1 as Int32)
            append(elements.contains { $0 == nil } ? 1 : 0 as Int32)
            append(type)
            guard !elements.isEmpty else { return }
            append(Int32(clamping: elements.count))
            append(1 as Int32)
            for element in elements {
                let index = bytes.count
                append(-1 as Int32)
                guard let element else { continue }
                write(&self, element)
                let length = UInt32(clamping: bytes.count - index - 4)
                for byte in 0..<4 { bytes[index + byte] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * byte)) }
            }
        }

        private mutating func append<Number: FixedWidthInteger>(_ number: Number) {
            for byte in (0..<Number.bitWidth / 8).reversed() {
                bytes.append(UInt8(truncatingIfNeeded: number >> Number(byte * 8)))
            }
        }
    }

    /// OIDs of PostgreSQL's built-in types (`pg_type.dat`); they are the same everywhere.
    private enum ObjectType {
        static let bool: UInt32 = 16
        static let bytea: UInt32 = 17
        static let int8: UInt32 = 20
        static let text: UInt32 = 25
    }
#endif
