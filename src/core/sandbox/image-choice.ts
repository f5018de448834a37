/** Where a user names another image, in words that are right on the command line and in the editor. */
export const IMAGE_CHOICE = "--image, or the setting slopLens.docker.image";
