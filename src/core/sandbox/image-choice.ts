/** Where a user names another image, in words that are right on the command line and in the editor. */
export const IMAGE_CHOICE = "--image, or the setting slopLens.docker.image";

/** Where a user chooses processes of the own machine, likewise. */
export const LOCAL_CHOICE = "--environment local, or the setting slopLens.environment";
