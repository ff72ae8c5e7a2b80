package io.iwcm.nic.link;

/** A program: opens the TAP interface of that name and prints why it could not. */
final class OpenTap {

    private OpenTap() {}

    public static void main(String[] args) {
        try (TapLink _ = TapLink.open(TapOptions.named(args[0]))) {
            System.out.println("opened");
        } catch (LinkException e) {
            System.out.println(e.getMessage());
        }
    }
}
