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
}
