import { resolve } from "node:path"

/**
 * Resolves a path relative to the user's folder: npm runs the command in another folder, and reports the user's one.
 */
export const resolvePath = (path: string): string => {
  const { INIT_CWD, npm_lifecycle_event } = process.env
  return npm_lifecycle_event === "parley" && INIT_CWD ? resolve(INIT_CWD, path) : path
}
