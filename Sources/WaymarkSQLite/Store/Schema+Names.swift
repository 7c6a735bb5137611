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
}
