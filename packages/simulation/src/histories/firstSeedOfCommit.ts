import { git } from "./git.js"

/** The first of consecutive seeds, from the commit's hash, so that each commit runs other histories. 1 without git. */
export const firstSeedOfCommit = (): number => Number.parseInt(git("rev-parse", "HEAD")?.slice(0, 8) ?? "1", 16)
