package io.iwcm.cm.ops.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Columns under headings, at most a hundred characters wide: where more is there, the widest column is cut short. */
final class Table {

    private static final int WIDTH = 100;
    private static final int GAP = 2;
    private static final int LEAST = 6;

    private final boolean[] toTheRight;
    private final List<String[]> rows = new ArrayList<>();

    private Table(boolean[] toTheRight) {
        this.toTheRight = toTheRight;
    }

    /** A heading that begins with ">" is of numbers, which stand at the right. */
    static Table of(String... headings) {
        boolean[] toTheRight = new boolean[headings.length];
        String[] names = new String[headings.length];
        for (int i = 0; i < headings.length; i++) {
            toTheRight[i] = headings[i].startsWith(">");
            names[i] = toTheRight[i] ? headings[i].substring(1) : headings[i];
        }
        Table table = new Table(toTheRight);
        return table.row(names);
    }

    Table row(String... cells) {
        rows.add(cells);
        return this;
    }

    /** The lines, without a line break at the end; without rows, that there are none. */
    String text(String whatThereAreNoneOf) {
        if (rows.size() == 1) return "no " + whatThereAreNoneOf;
        int[] widths = widths();
        List<String> lines = new ArrayList<>();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                String cell = cut(row[i], widths[i]);
                String blanks = " ".repeat(widths[i] - cell.length());
                line.append(toTheRight[i] ? blanks + cell : cell + blanks).append(" ".repeat(GAP));
            }
            lines.add(line.toString().stripTrailing());
        }
        return String.join(System.lineSeparator(), lines);
    }

    private int[] widths() {
        int[] widths = new int[toTheRight.length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) widths[i] = Math.max(widths[i], row[i].length());
        }
        int room = WIDTH - GAP * (widths.length - 1);
        while (Arrays.stream(widths).sum() > room) {
            int widest = widest(widths);
            if (widths[widest] <= LEAST) break;
            widths[widest]--;
        }
        return widths;
    }

    /** Of the texts: half a number is worse than none. */
    private int widest(int[] widths) {
        int widest = 0;
        for (int i = 1; i < widths.length; i++) {
            if (toTheRight[widest] || (!toTheRight[i] && widths[i] > widths[widest])) widest = i;
        }
        return widest;
    }

    private static String cut(String cell, int width) {
        return cell.length() <= width ? cell : cell.substring(0, width - 1) + "…";
    }
}
