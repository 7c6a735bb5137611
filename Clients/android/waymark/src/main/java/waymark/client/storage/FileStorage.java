package waymark.client.storage;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.util.HashMap;
import java.util.Map;

/**
 * A folder with one small JSON file per value.
 *
 * <p>A write goes to a temporary file, which is flushed to the disk and then renamed; so {@code kill -9} leaves the old
 * or the new value. The folder is created at the first use; it and its files are for the user only.
 *
 * <p>The first process that uses the folder has it until it ends. In any other, reads and writes fail, so that a client
 * there keeps its state in memory. The same while the folder above is missing, as on a device that was not unlocked
 * since it was started.
 */
public final class FileStorage implements ClientStorage {
    /** A state is far smaller; a larger file is not the client's. */
    private static final int SIZE_LIMIT = 4 * 1024 * 1024;

    /** By path. A lock is the process's: closing another stream of the same file would release it. */
    private static final Map<String, FileLock> LOCKS = new HashMap<>();

    private final File folder;

    /** @param folder need not exist, but the one above must; no other client may use it */
    public FileStorage(@NonNull File folder) {
        this.folder = folder;
    }

    @Override
    @Nullable
    public byte[] read(@NonNull String name) throws IOException {
        lock();
        File file = file(name);
        if (!file.exists()) {
            // In a folder that can't be searched, every file seems to be missing.
            if (!folder.canExecute()) throw new IOException("the folder can't be read");
            return null;
        }
        if (file.length() > SIZE_LIMIT) return new byte[0];
        FileInputStream input = new FileInputStream(file);
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            byte[] block = new byte[4096];
            for (int count = input.read(block); count >= 0; count = input.read(block)) bytes.write(block, 0, count);
            return bytes.toByteArray();
        } finally {
            input.close();
        }
    }

    @Override
    public void write(@NonNull String name, @NonNull byte[] bytes) throws IOException {
        lock();
        File temporary = new File(folder, name + ".json.tmp");
        boolean isComplete = false;
        try {
            FileOutputStream output = new FileOutputStream(temporary);
            try {
                // Before there is anything to read: metadata is private, and Android's folder is not the only one.
                temporary.setReadable(false, false);
                temporary.setReadable(true, true);
                temporary.setWritable(false, false);
                temporary.setWritable(true, true);
                output.write(bytes);
                output.getFD().sync();
            } finally {
                output.close();
            }
            isComplete = temporary.renameTo(file(name));
            if (!isComplete) throw new IOException("the file can't be replaced");
        } finally {
            // A part of a file would take the space that a full disk lacks.
            if (!isComplete) temporary.delete();
        }
    }

    @Override
    public void setAside(@NonNull String name) throws IOException {
        boolean isMoved = file(name).renameTo(new File(folder, name + ".broken"));
        if (!isMoved) throw new IOException("the file can't be moved");
    }

    /** Takes the folder for this process until it ends. */
    private void lock() throws IOException {
        synchronized (LOCKS) {
            if (!folder.isDirectory()) create();
            String path = folder.getCanonicalPath();
            if (LOCKS.containsKey(path)) return;
            RandomAccessFile file = new RandomAccessFile(new File(path, "lock"), "rw");
            FileLock lock = null;
            try {
                lock = file.getChannel().tryLock();
            } finally {
                if (lock == null) file.close();
            }
            if (lock == null) throw new IOException("another process uses the folder");
            LOCKS.put(path, lock);
        }
    }

    private void create() throws IOException {
        // Before the first unlock of the device the app's folder seems to be missing, with all that is in it.
        if (!folder.mkdir() && !folder.isDirectory()) throw new IOException("the folder can't be created");
        // Removes the permissions of the group and of others, then restores the user's.
        folder.setReadable(false, false);
        folder.setWritable(false, false);
        folder.setExecutable(false, false);
        folder.setReadable(true, true);
        folder.setWritable(true, true);
        folder.setExecutable(true, true);
    }

    private File file(String name) {
        return new File(folder, name + ".json");
    }
}
