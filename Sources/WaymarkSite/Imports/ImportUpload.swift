import Logging
import WaymarkAPI
import WaymarkHTTP
import WaymarkServer
import WaymarkService

/// The form of an import while it arrives: files go to temporary files, fields stay in memory.
actor ImportUpload: BodyReceiver {
    enum Admission: Sendable {
        case call(Call, HeaderFields)
        case refused(Response)
    }

    /// Bytes of all fields that are not files.
    static let fieldLimit = 65_536
    static let fileLimit = 100

    private let site: Site
    private let admit: @Sendable () async -> Admission
    private let answer: @Sendable (Call, HeaderFields) async -> Response
    private var parser: MultipartParser
    private var admitted: (call: Call, fields: HeaderFields)?
    private var permit: ImportPermit?
    private var form = ImportForm()
    private var part = Part.none
    private var fieldBytes = 0

    private enum Part {
        case none
        case file(SpoolFile)
        case field(String, [UInt8])
    }

    // unsafe because the reference is not counted: this object has the site, and that has the executor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe site.uploads.executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - admit: checks the key, before anything of the body is read.
    ///   - answer: the response to the complete form, which is the call's `upload`.
    init(
        _ site: Site, _ boundary: MultipartBoundary, admit: @escaping @Sendable () async -> Admission,
        answer: @escaping @Sendable (Call, HeaderFields) async -> Response
    ) {
        self.site = site
        self.admit = admit
        self.answer = answer
        parser = MultipartParser(boundary: boundary)
    }

    func begin() async -> Response? {
        switch await admit() {
        case .refused(let response): return response
        case .call(let call, let fields):
            admitted = (call, fields)
            guard let permit = site.imports.permit(for: call.key) else { return Imports.tooMany(fields) }
            self.permit = permit
            return nil
        }
    }

    func receive(_ piece: [UInt8]) async -> Response? {
        do throws(Problem) {
            for event in try events(of: piece) { try take(event) }
            return nil
        } catch {
            // The files are deleted before the response, not when the last reference to this object goes.
            part = .none
            form = ImportForm()
            return .problem(error, fields: admitted?.fields ?? HeaderFields())
        }
    }

    func end() async -> Response {
        let fields = admitted?.fields ?? HeaderFields()
        let form = form
        self.form = ImportForm()
        part = .none
        do throws(MultipartParser.Failure) {
            try parser.end()
        } catch {
            return .problem(Self.unreadable(error), fields: fields)
        }
        guard let call = admitted?.call, let permit else {
            return .problem(Problem(.internalError, "The request could not be answered."), fields: fields)
        }
        self.permit = nil
        return await answer(call.uploading(ImportCall(form: form, permit: permit)), fields)
    }

    private func events(of piece: [UInt8]) throws(Problem) -> [MultipartParser.Event] {
        do throws(MultipartParser.Failure) {
            return try parser.parse(piece)
        } catch {
            throw Self.unreadable(error)
        }
    }

    private static func unreadable(_ failure: MultipartParser.Failure) -> Problem {
        Problem(.malformedRequest, "The form can't be read: \(failure.description).")
    }

    private func take(_ event: MultipartParser.Event) throws(Problem) {
        switch event {
        case .part(let header): try begin(header)
        case .data(let data):
            switch part {
            case .file(let file): try spool { () throws(SpoolFile.Failure) in try file.append(data) }
            case .field(let name, let text):
                fieldBytes += data.count
                guard fieldBytes <= Self.fieldLimit else {
                    throw Problem(invalid: [
                        FieldProblem(
                            field: name, problem: "all fields but files must have at most \(Self.fieldLimit) bytes")
                    ])
                }
                part = .field(name, text + data)
            case .none: break
            }
            if case .file = part { form.files[form.files.count - 1].bytes += data.count }
        case .endOfPart:
            if case .field(let name, let text) = part { form.add(name, text) }
            part = .none
        }
    }

    private func begin(_ header: MultipartHeader) throws(Problem) {
        guard header.name == ImportForm.fileField else {
            part = .field(header.name, [])
            return
        }
        guard form.files.count < Self.fileLimit else {
            throw Problem(invalid: [
                FieldProblem(field: ImportForm.fileField, problem: "is given more than \(Self.fileLimit) times")
            ])
        }
        let (folder, space) = (site.imports.settings.folder, site.uploads.space)
        let file = try spool { () throws(SpoolFile.Failure) in try SpoolFile(in: folder, space) }
        part = .file(file)
        form.files.append(ImportForm.File(name: ImportForm.displayName(header.fileName), spool: file))
    }

    private func spool<Value>(_ work: () throws(SpoolFile.Failure) -> Value) throws(Problem) -> Value {
        do throws(SpoolFile.Failure) {
            return try work()
        } catch {
            site.logger.warning(
                "an uploaded file can't be stored in \(site.imports.settings.folder): error \(error.code)")
            throw error.isDiskFull
                ? Problem(.overloaded, "The server has no space left for the file; import it in parts, or later.")
                : Problem(.internalError, "The server can't store the file.")
        }
    }
}

extension Call {
    fileprivate func uploading(_ upload: ImportCall) -> Call {
        var call = self
        call.upload = upload
        return call
    }
}

/// What an import's route gets besides the call: the form, and the right to run.
struct ImportCall: Sendable {
    let form: ImportForm
    let permit: ImportPermit
}
