import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { fromEnvironment, unknownSettings } from "@parley/host-settings"
import { Effect } from "effect"
import { Deployment } from "kubernetes-models/apps/v1"
import { PodDisruptionBudget } from "kubernetes-models/policy/v1"
import { ConfigMap, type Container, type PodSpec, Service } from "kubernetes-models/v1"
import ts from "typescript"
import { parseAllDocuments } from "yaml"
import { treeOf } from "../src/commands/CommandTree.js"
import { parley } from "../src/commands/parley.js"

const read = (file: string) => readFileSync(fileURLToPath(new URL(`../../../deploy/${file}`, import.meta.url)), "utf8")
const documents = parseAllDocuments(read("kubernetes/parley.yaml")).map((one) => one.toJS())

const kinds: { readonly [kind: string]: new (manifest: never) => { validate: () => void } } = {
  ConfigMap,
  Deployment,
  PodDisruptionBudget,
  Service
}

const [config, server, worker, service, budget] = documents as [
  { readonly data: { readonly [name: string]: string } },
  ...Array<any>
]
const podOf = (deployment: any): PodSpec => deployment.spec.template.spec
const containerOf = (deployment: any): Container => podOf(deployment).containers[0] as Container
const imageSettings = Object.fromEntries(
  [...read("container/Dockerfile").matchAll(/(PARLEY_\w+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value])
)
const secrets = {
  PARLEY_DATABASE_URL: "postgres://parley:password@db.internal/parley",
  PARLEY_SECRET_KEY: Buffer.alloc(32, 1).toString("base64"),
  PARLEY_ADMIN_TOKEN: "a".repeat(64)
}

/** Types refuse unknown fields of literals, as the API server does; the validators of the schema do not. */
const unknownFieldsIn = (manifests: ReadonlyArray<{ readonly kind: string }>): ReadonlyArray<string> => {
  const file = fileURLToPath(new URL("manifests.ts", import.meta.url))
  const text = [
    'import type { IDeployment } from "kubernetes-models/apps/v1"',
    'import type { IPodDisruptionBudget } from "kubernetes-models/policy/v1"',
    'import type { IConfigMap, IService } from "kubernetes-models/v1"',
    ...manifests.map((manifest, at) => `const one${at}: I${manifest.kind} = ${JSON.stringify(manifest)}`)
  ].join("\n")
  const options = { module: ts.ModuleKind.NodeNext, strict: true, skipLibCheck: true, noEmit: true, types: [] }
  const host = ts.createCompilerHost(options)
  const { fileExists, getSourceFile } = host
  host.fileExists = (name) => name === file || fileExists(name)
  host.getSourceFile = (name, version) =>
    name === file ? ts.createSourceFile(name, text, version) : getSourceFile(name, version)
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))
}

describe("the Kubernetes manifests", () => {
  it.each(documents.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest]))(
    "match the schema: %s",
    (_name, manifest) => {
      const Kind = kinds[manifest.kind]
      if (Kind === undefined) throw new Error(`add ${manifest.kind} to the kinds`)
      const valid = new Kind(manifest as never)
      expect(() => valid.validate()).not.toThrow()
      expect(() => new Kind({ ...manifest, metadata: { name: 1 } } as never).validate()).toThrow("/metadata/name")
    }
  )

  it("have no fields that the schema does not know", () => {
    expect(unknownFieldsIn(documents)).toEqual([])
    const misspelt = structuredClone(server)
    misspelt.spec.template.spec.containers[0].readynessProbe = {}
    expect(unknownFieldsIn([misspelt])).toEqual([expect.stringContaining("readynessProbe")])
  })

  it.effect("give the image settings that exist, with values that it reads", () =>
    Effect.gen(function* () {
      const { unknown } = yield* unknownSettings(config.data)
      expect(unknown).toEqual([])
      const settings = yield* fromEnvironment({ ...imageSettings, ...config.data, ...secrets })
      expect(settings).toMatchObject({ host: "0.0.0.0", port: 8080, probesPort: 9090, demo: false })
      expect(settings.blobs).toMatchObject({ _tag: "S3" })
    })
  )

  it("probe the port of the probes, at a server and a worker that differ in their command only", () => {
    const commands = treeOf(parley.name, parley.what, parley.sections).children
    for (const [deployment, command] of [
      [server, "http"],
      [worker, "worker"]
    ]) {
      const container = containerOf(deployment)
      expect(container.args).toEqual([command])
      expect(commands.has(command)).toBe(true)
      const probes = container.ports?.find(({ name }) => name === "probes")
      expect(probes?.containerPort).toBe(Number(config.data.PARLEY_PROBES_PORT))
      expect([container.startupProbe, container.livenessProbe, container.readinessProbe]).toMatchObject([
        { httpGet: { path: "/healthz", port: "probes" } },
        { httpGet: { path: "/healthz", port: "probes" } },
        { httpGet: { path: "/readyz", port: "probes" } }
      ])
      expect(deployment.spec.selector.matchLabels).toEqual(deployment.spec.template.metadata.labels)
    }
    const { args: _http, ports: _ports, ...ofServer } = containerOf(server)
    const { args: _worker, ports: _probes, ...ofWorker } = containerOf(worker)
    expect(ofWorker).toEqual(ofServer)
    expect({ ...podOf(worker), containers: [] }).toEqual({ ...podOf(server), containers: [] })
  })

  it("lead the service and the budget to the server", () => {
    const { labels } = server.spec.template.metadata
    expect(service.spec.selector).toEqual(labels)
    expect(budget.spec.selector.matchLabels).toEqual(labels)
    const port = containerOf(server).ports?.find(({ name }) => name === service.spec.ports[0].targetPort)
    expect(port?.containerPort).toBe(8080)
  })

  it("keep the variables of service links away from the settings", () => {
    // Kubernetes sets PARLEY_PORT=tcp://… in each pod beside a service named parley.
    expect([podOf(server), podOf(worker)].map(({ enableServiceLinks }) => enableServiceLinks)).toEqual([false, false])
  })
})
