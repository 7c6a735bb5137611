extension Schema {
    // 13: slugs and aliases of a host are unique together, whichever program writes. No index covers two tables, so triggers
    // compare them; SQLite has one writer at a time.
    static let uniqueNames = """
        CREATE TRIGGER link_slug_added AFTER INSERT ON link
        WHEN EXISTS (SELECT 1 FROM link_alias WHERE slug = NEW.slug AND host = NEW.host)
        BEGIN SELECT RAISE(ABORT, 'the slug is an alias of another link'); END;

        CREATE TRIGGER link_slug_changed AFTER UPDATE OF slug, host ON link
        WHEN EXISTS (SELECT 1 FROM link_alias WHERE slug = NEW.slug AND host = NEW.host)
        BEGIN SELECT RAISE(ABORT, 'the slug is an alias of another link'); END;

        CREATE TRIGGER link_alias_added AFTER INSERT ON link_alias
        WHEN EXISTS (SELECT 1 FROM link WHERE slug = NEW.slug AND host = NEW.host)
        BEGIN SELECT RAISE(ABORT, 'the alias is the slug of a link'); END;

        CREATE TRIGGER link_alias_changed AFTER UPDATE ON link_alias
        WHEN EXISTS (SELECT 1 FROM link WHERE slug = NEW.slug AND host = NEW.host)
        BEGIN SELECT RAISE(ABORT, 'the alias is the slug of a link'); END;
        """

    // 18: the rules that an application has for slugs, as in SlugRules; slugs and aliases of applications that ignore case,
    // folded.
    static let slugRules = """
        ALTER TABLE application ADD COLUMN slug_rules INTEGER NOT NULL DEFAULT 0;

        CREATE TABLE link_folded (
            slug TEXT NOT NULL,
            host INTEGER NOT NULL REFERENCES host (number),
            link INTEGER NOT NULL REFERENCES link (id) ON DELETE CASCADE,
            PRIMARY KEY (slug, host)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX link_folded_link ON link_folded (link);
        """

    // 20: the numbers under which clicks on an application's long links are counted, one for each of its domains: random and
    // negative, so that none is that of a link, and none comes again after its application was deleted. The blocks of an
    // application that is deleted are deleted later.
    static let longLinks = """
        CREATE TABLE long_link (
            number INTEGER PRIMARY KEY,
            application INTEGER NOT NULL REFERENCES application (number) ON DELETE CASCADE,
            host INTEGER NOT NULL REFERENCES host (number),
            UNIQUE (application, host)
        ) STRICT;

        CREATE TRIGGER long_link_removed AFTER DELETE ON long_link
        BEGIN INSERT OR IGNORE INTO click_leftover (link) VALUES (OLD.number); END;
        """

    // 23: whether the slug of a new link is an alias is looked up by the program, which knows that most databases have no alias. For
    // a statement with a trigger SQLite copies each page before it changes it: a fourteenth of a creation. Programs that don't
    // look it up refuse this schema.
    static let slugsWithoutTrigger = "DROP TRIGGER link_slug_added;"
}
