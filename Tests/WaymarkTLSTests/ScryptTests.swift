import Testing
import WaymarkBytes

@testable import WaymarkTLS

@Suite struct ScryptTests {
    /// RFC 7914 section 12, without the one that takes a gibibyte.
    @Test(arguments: [
        (
            "", "", 4, 1, 1,
            "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
        ),
        (
            "password", "NaCl", 10, 8, 16,
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
        ),
        (
            "pleaseletmein", "SodiumChloride", 14, 8, 1,
            "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
                + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
        ),
    ])
    func `a key is the one of the standard`(
        password: String, salt: String, bits: Int, size: Int, count: Int, key: String
    ) {
        let derived = Scrypt.key(
            of: Array(password.utf8), salt: Array(salt.utf8), costBits: bits, blockSize: size, parallelism: count,
            count: 64)
        #expect(derived.map { Hexadecimal.text($0) } == key)
    }

    @Test(arguments: [(0, 8, 1), (25, 8, 1), (14, 0, 1), (14, 8, 0), (20, 8, 1)])
    func `parameters that take too much give no key`(bits: Int, size: Int, count: Int) {
        let key = Scrypt.key(of: [1], salt: [2], costBits: bits, blockSize: size, parallelism: count, count: 32)
        #expect(key == nil)
    }
}
