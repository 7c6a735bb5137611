import WaymarkService

extension Configuration {
    /// For the site of a server.
    var importSettings: ImportSettings {
        var settings = ImportSettings()
        settings.folder = uploadFolder
        settings.uploadBytes = self.imports.uploadBytes
        settings.running = self.imports.running
        settings.database = { paths, time, isStopped in
            try KuttDatabase.source(paths, named: "the database", time: time, isStopped: isStopped)
        }
        return settings
    }
}
