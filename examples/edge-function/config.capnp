# Settings of workerd: the storage, and where the function listens.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "files", worker = .files),
    # Object storage on this machine is at a private address.
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:8080", http = (), service = "files")],
);

const files :Workerd.Worker = (
  compatibilityDate = "2026-01-01",
  modules = [
    (name = "worker.js", esModule = embed "out.js"),
    (name = "packlens.wasm", wasm = embed "node_modules/packlens/dist/wasm/packlens_bg.wasm"),
  ],
  bindings = [
    (name = "S3_URL", fromEnvironment = "S3_URL"),
    (name = "S3_ACCESS_KEY", fromEnvironment = "S3_ACCESS_KEY"),
    (name = "S3_SECRET_KEY", fromEnvironment = "S3_SECRET_KEY"),
  ],
);
