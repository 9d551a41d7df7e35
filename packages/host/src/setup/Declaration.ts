import type { AdminSchemas, ChannelName } from "@parley/client/admin"

/** Fields of every declared part. */
interface DeclaredFields {
  /**
   * Id of an existing part of the workspace, to give it this name. Default: the part that has the name, else a new one.
   */
  readonly id?: string | undefined
  /** Name for people. Default: the key of the part when it is made; operators may change it. */
  readonly name?: string | undefined
}

type OptionalFields<Input, Field extends keyof Input> = { readonly [F in Field]?: Input[F] | undefined }

/** A channel that the workspace has an account on. */
export interface DeclaredConnection extends DeclaredFields {
  readonly channel: ChannelName
  /**
   * Default when it is made: the provider of the channel, if one without the sandbox, or the sandbox alone, has it. It
   * never changes: a connection of the sandbox stays one.
   */
  readonly provider?: string | undefined
  /** The business's own handle on the channel. */
  readonly handle: string
  readonly is_test?: boolean | undefined
  /** `config` of the admin API. Compared and replaced as a whole. */
  readonly settings?: { readonly [setting: string]: unknown } | undefined
  /** Secrets of the provider. Compared with the stored ones and replaced as a whole. */
  readonly credentials?: { readonly [secret: string]: unknown } | undefined
}

type ApplicationInput = AdminSchemas["ApplicationInput"]

/** A caller of the interface. */
export interface DeclaredApplication extends DeclaredFields, OptionalFields<ApplicationInput, "limits"> {
  /** Default when it is made: `live`. */
  readonly mode?: ApplicationInput["mode"] | undefined
  readonly scopes: ApplicationInput["scopes"]
  /** Names of the declared connections that it may use. Default: not compared, none at first. */
  readonly connections?: ReadonlyArray<string> | undefined
  /** Names of API keys for callers outside of this process. Each is issued once. */
  readonly keys?: ReadonlyArray<string> | undefined
}

type EndpointInput = AdminSchemas["EndpointInput"]

/** A URL that receives the events of an application. */
export interface DeclaredEndpoint
  extends Pick<DeclaredFields, "id">,
    Pick<EndpointInput, "url" | "events">,
    OptionalFields<EndpointInput, "description"> {
  /** Name of a declared application. */
  readonly application: string
  /** Signing secret. Default: made by the process that creates the endpoint, and returned only there. */
  readonly secret?: string | undefined
}

type TemplateInput = AdminSchemas["TemplateInput"]

/** A message template; `name` is what sends call it. */
export interface DeclaredTemplate
  extends DeclaredFields,
    Pick<TemplateInput, "channel" | "language" | "body">,
    OptionalFields<TemplateInput, "category" | "subject" | "html" | "status"> {}

type WorkflowInput = AdminSchemas["WorkflowInput"]

/** An automation. */
export interface DeclaredWorkflow
  extends DeclaredFields,
    Pick<WorkflowInput, "trigger">,
    OptionalFields<WorkflowInput, "conditions" | "actions"> {
  /**
   * Whether events start it. Default: true when it is made, and again after `prune`; one that an operator unpublished
   * stays so. `true` publishes that too.
   */
  readonly publish?: boolean | undefined
}

/** A workspace with its parts. The key of each part is its name, by which later calls find it again. */
export interface Declaration {
  /** Its name. With `id`, an existing workspace gets the name. */
  readonly workspace:
    | string
    | ({ readonly name: string; readonly id?: string | undefined } & OptionalFields<
        AdminSchemas["WorkspaceInput"],
        "default_language" | "timezone"
      >)
  readonly connections?: { readonly [name: string]: DeclaredConnection } | undefined
  readonly templates?: { readonly [name: string]: DeclaredTemplate } | undefined
  readonly applications?: { readonly [name: string]: DeclaredApplication } | undefined
  readonly endpoints?: { readonly [name: string]: DeclaredEndpoint } | undefined
  readonly workflows?: { readonly [name: string]: DeclaredWorkflow } | undefined
}

export interface SetupOptions {
  /**
   * What to do where parts differ from the declaration. `apply` changes them. `refuse` rejects with a `SetupError`
   * and changes nothing; new parts are created if no part differs. `list` changes and creates nothing. Default:
   * `apply`.
   */
  readonly onDrift?: "apply" | "list" | "refuse" | undefined
  /**
   * Whether to take parts out of service that an earlier declaration had: endpoints are deleted, API keys revoked,
   * workflows unpublished, templates paused, applications suspended, connections disconnected. Default: false.
   */
  readonly prune?: boolean | undefined
}

/**
 * A field of a part that differs. Both values of credentials, signing secrets and URLs are null, so that they can be
 * logged.
 */
export interface FieldDifference {
  readonly field: string
  readonly declared: unknown
  readonly present: unknown
}

/** A difference between a declaration and the workspace. */
export interface Difference {
  /** For example `applications.shop`. */
  readonly part: string
  /**
   * - `missing`: it was never made.
   * - `gone`: it was made, and was deleted since.
   * - `changed`: `fields` differ.
   * - `undeclared`: an earlier declaration had it. Kept unless `prune`.
   */
  readonly kind: "missing" | "gone" | "changed" | "undeclared"
  /** Empty unless `changed`. */
  readonly fields: ReadonlyArray<FieldDifference>
}

type Named<Section, Made> = { readonly [Name in keyof NonNullable<Section>]: Made }

/**
 * Result of `setup`. `Id` is `string`, or also null for parts that do not exist with `onDrift: "list"`. Secrets are
 * those that this call made.
 */
export interface Made<D extends Declaration, Id = string> {
  readonly workspace: { readonly id: Id }
  readonly connections: Named<D["connections"], { readonly id: Id }>
  readonly templates: Named<D["templates"], { readonly id: Id }>
  readonly applications: Named<
    D["applications"],
    {
      readonly id: Id
      /** By name: the API keys that this call issued. */
      readonly keys: { readonly [name: string]: string | undefined }
    }
  >
  /** `secret` if this call made it, and not if it was declared. */
  readonly endpoints: Named<D["endpoints"], { readonly id: Id; readonly secret: string | null }>
  /** `secret`, with which webhooks of the workflow are signed, if this call created it. */
  readonly workflows: Named<D["workflows"], { readonly id: Id; readonly secret: string | null }>
  /** What was different before this call: created, changed or removed by it, unless `list`. */
  readonly differences: ReadonlyArray<Difference>
}

/** A value whose fields with other names than those of a type are errors. */
type Known<Value, Type> = Value & { readonly [Field in Exclude<keyof Value, keyof Type>]: never }

/** A section without unknown fields of its parts. Undefined stays. */
type KnownSection<Section, Declared> =
  Declared extends Readonly<Record<string, infer Part>>
    ? Section extends object
      ? { readonly [Name in keyof Section]: Known<Section[Name], Part> }
      : Section
    : never

/**
 * The declaration, without unknown sections and without unknown fields of parts. TypeScript looks for those in object
 * literals, but not where it infers the type of an argument.
 */
type KnownDeclaration<D extends Declaration> = Known<D, Declaration> & {
  readonly [Section in Exclude<keyof Declaration, "workspace"> & keyof D]?: KnownSection<
    D[Section],
    NonNullable<Declaration[Section]>
  >
}

/** Creates and changes the parts of a workspace, so that they are as declared. */
export interface Setup {
  <const D extends Declaration>(
    declaration: D & KnownDeclaration<D>,
    options: SetupOptions & { readonly onDrift: "list" }
  ): Promise<Made<D, string | null>>
  <const D extends Declaration>(declaration: D & KnownDeclaration<D>, options?: SetupOptions): Promise<Made<D>>
}
