import type { TestProject } from "vitest/node"
import type {} from "./databases.js"
import { startPostgres } from "./startPostgres.js"

/** Gives the suites a Postgres: the one that `PARLEY_TEST_DATABASE_URL` names, or one that is started for them. */
export default async function setup(project: TestProject) {
  const given = process.env.PARLEY_TEST_DATABASE_URL
  if (given) {
    project.provide("postgresUrl", given)
    return
  }
  const server = await startPostgres()
  project.provide("postgresUrl", server.url)
  return server.stop
}
