import { resolve } from "node:path"

/** A path as whoever typed it means it: npm runs the command in another folder than theirs, and says which that is. */
export const pathGiven = (path: string): string => {
  const { INIT_CWD, npm_lifecycle_event } = process.env
  return npm_lifecycle_event === "parley" && INIT_CWD ? resolve(INIT_CWD, path) : path
}
