import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { Settings } from '../src/config/settings';
import { VERSION } from '../src/kernel/version';
import { HealthController } from '../src/ops/health.controller';

const ROOT = join(__dirname, '..');
const KEY = Buffer.alloc(32).toString('base64');
/** Seconds after the grace until a stopped process is gone at the latest. */
const AFTER_GRACE = 40;

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Variables that the container's image sets. */
const IMAGE = Object.fromEntries(
  [...read('Dockerfile').matchAll(/^(?:ENV)?\s+([A-Z_]+)=(\S+?)(?: \\)?$/gm)].map(([, name, value]) => [
    name,
    value,
  ]),
) as Record<string, string>;

/** Every setting there is, and what `config/sources.yaml` reads from the environment. */
const KNOWN = new Set([
  ...new Settings({}).names,
  ...[...read('config/sources.yaml').matchAll(/env: (\w+)/g)].map(([, name]) => name),
  ...['NODE_ENV'],
]);

const probePaths = (): string[] => {
  const prefix = Reflect.getMetadata('path', HealthController) as string;
  return Object.getOwnPropertyNames(HealthController.prototype).flatMap((name) => {
    const method = Object.getOwnPropertyDescriptor(HealthController.prototype, name)?.value as object;
    const path: unknown = Reflect.getMetadata('path', method);
    return typeof path === 'string' ? [`/${prefix}/${path}`] : [];
  });
};

/** What is read of YAML, member by member. */
type Json = Record<string, ReturnType<typeof parse>>;

describe('deploy/kubernetes', () => {
  const manifests = ['ponte.yaml', 'secret.example.yaml', 'doctor.yaml'].flatMap((file) =>
    parseAllDocuments(read(`deploy/kubernetes/${file}`)).map((document) => document.toJS() as Json),
  );
  const one = (kind: string, name = 'ponte'): Json => {
    const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
    if (!found) throw new Error(`there is no ${kind} ${name}`);
    return found;
  };
  const pod = one('Deployment').spec.template.spec as Json;
  const job = one('Job', 'ponte-doctor').spec.template.spec as Json;
  const [container] = pod.containers as [Json];
  const env = { ...one('ConfigMap').data, ...one('Secret').stringData } as Record<string, string>;

  it('is all in one namespace', () => {
    const inNone = manifests.filter(
      ({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'ponte',
    );
    expect(inNone.map(({ kind }) => kind)).toEqual([]);
  });

  it('sets what Ponte reads, with values that it takes', () => {
    expect(Object.keys(env).filter((name) => !KNOWN.has(name))).toEqual([]);
    const filled = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, value === 'CHANGE-ME' ? KEY : value]),
    );
    const settings = new Settings({ ...IMAGE, ...filled });
    const ports = (container.ports as Json[]).map(({ containerPort }) => containerPort as number);
    expect(ports).toEqual([settings.port, settings.adminListener?.port]);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
      settings.shutdownGraceSeconds + AFTER_GRACE,
    );
  });

  it('probes addresses that are served, on ports that are named', () => {
    const names = (container.ports as Json[]).map(({ name }) => name as string);
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      const { path, port } = container[probe].httpGet as { path: string; port: string };
      expect(probePaths()).toContain(path);
      expect(names).toContain(port);
    }
    expect(container.readinessProbe.httpGet.path).toBe('/health/ready');
    expect(container.livenessProbe.httpGet.path).toBe('/health/live');
  });

  it.each([
    ['the Deployment', pod],
    ['the Job', job],
  ])(
    '%s runs the version of this checkout, as the user of the image, and can write nowhere else',
    (_name, spec) => {
      const [only, ...others] = spec.containers as [Json];
      const user = Number(/^USER (\d+):/m.exec(read('Dockerfile'))?.[1]);
      expect(others).toEqual([]);
      expect(only.image).toBe(`ponte:${VERSION}`);
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: user });
      expect(only.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(only.resources.limits.memory).toMatch(/^\d+Mi$/);
      expect(spec.automountServiceAccountToken).toBe(false);
      expect(only.envFrom).toEqual([{ configMapRef: { name: 'ponte' } }, { secretRef: { name: 'ponte' } }]);
    },
  );

  it('gives the service a place for what it makes, and room for temporary files', () => {
    const paths = (container.volumeMounts as Json[]).map(({ mountPath }) => mountPath as string);
    expect(paths).toEqual(['/tmp', IMAGE['DATA_DIR']]);
    const volumes = (pod.volumes as Json[]).map(({ name }) => name as string);
    expect((container.volumeMounts as Json[]).map(({ name }) => name as string)).toEqual(volumes);
  });

  it('leads to the pods: selectors match their labels, and ports their names', () => {
    const labels = one('Deployment').spec.template.metadata.labels as Json;
    const names = (container.ports as Json[]).map(({ name }) => name as string);
    const selectors = [
      one('Deployment').spec.selector.matchLabels,
      one('Service').spec.selector,
      one('Service', 'ponte-admin').spec.selector,
      one('PodDisruptionBudget').spec.selector.matchLabels,
      one('NetworkPolicy').spec.podSelector.matchLabels,
    ] as Json[];
    for (const selector of selectors) expect(selector).toEqual(labels);
    expect(one('Job', 'ponte-doctor').spec.template.metadata.labels).not.toEqual(labels);
    const services = [one('Service'), one('Service', 'ponte-admin')];
    const targets = services.map(({ spec }) => spec.ports[0].targetPort as string);
    const allowed = (one('NetworkPolicy').spec.ingress as Json[]).map(({ ports }) => ports[0].port as string);
    expect([targets, allowed]).toEqual([names, names]);
    // What shops reach leads to no operators' address.
    expect(one('Ingress').spec.rules[0].http.paths[0].backend.service).toEqual({
      name: 'ponte',
      port: { name: services[0]?.spec.ports[0].name },
    });
  });

  it('asks the doctor of the image', () => {
    const [node, file, command] = job.containers[0].command as string[];
    expect([node, command]).toEqual(['node', 'doctor']);
    expect(JSON.parse(read('package.json'))).toMatchObject({ bin: { ponte: file } });
  });
});

const MAIL: Record<string, string> = { SMTP_URL: 'smtps://mail.example.com', SMTP_FROM: 'ponte@example.com' };

describe('deploy/compose', () => {
  const text = read('deploy/compose/docker-compose.yml');
  const { services, networks, volumes } = parse(text, { merge: true }) as Record<string, Json>;
  const own = [services!.api, services!.worker] as Json[];

  it.each([
    ['api', 0],
    ['worker', 1],
  ])('sets what Ponte reads, with values that it takes (%s)', (role, index) => {
    const environment = own[index]?.environment as Record<string, string>;
    expect(Object.keys(environment).filter((name) => !KNOWN.has(name))).toEqual([]);
    const filled = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        value.replace(
          /\$\{(\w+)[^}]*\}/g,
          (_all, variable: string) =>
            MAIL[variable] ??
            (variable.endsWith('KEY') ? KEY : variable.endsWith('_PREVIOUS') ? '' : 'ponte.example.com'),
        ),
      ]),
    );
    const settings = new Settings({ ...IMAGE, ...filled });
    expect(settings.role).toBe(role);
    const scraped = parse(read('deploy/compose/prometheus.yml')) as Json;
    const [{ names, port }] = scraped.scrape_configs[0].dns_sd_configs as [Json];
    expect(names).toContain(role);
    expect(port).toBe(settings.adminListener?.port);
    expect(settings.trustedProxies?.check('172.30.57.9')).toBe(true);
    expect(networks!.inside.ipam.config[0].subnet).toBe(environment.TRUSTED_PROXIES);
    expect(parseInt(own[index]?.stop_grace_period as string, 10)).toBeGreaterThanOrEqual(
      settings.shutdownGraceSeconds + AFTER_GRACE,
    );
  });

  it('runs two that receive and two that work, who can write nowhere that is kept', () => {
    for (const service of own) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], deploy: { replicas: 2 } });
      expect(service.volumes).toBeUndefined();
    }
  });

  it('has the proxy reach Ponte by the network that it is known by alone', () => {
    for (const service of own)
      expect(
        (service.networks as string[]).filter((name) =>
          (services!.proxy.networks as string[]).includes(name),
        ),
      ).toEqual(['inside']);
  });

  it('publishes to others what speaks TLS alone', () => {
    const published = Object.values(services!).flatMap((service: Json) => (service.ports ?? []) as string[]);
    const open = published.filter((port) => !port.startsWith('127.0.0.1:'));
    expect(open).toEqual(['80:80', '443:443', '443:443/udp']);
    for (const service of own) expect(service.ports).toBeUndefined();
  });

  it('mounts files that are there and volumes that it declares', () => {
    const mounted = Object.values(services!).flatMap((service: Json) => (service.volumes ?? []) as string[]);
    const sources = mounted.map((mount) => mount.split(':')[0] ?? '');
    const absent = sources.filter((source) =>
      source.startsWith('.') ? !existsSync(join(ROOT, 'deploy/compose', source)) : !(source in volumes!),
    );
    expect(absent).toEqual([]);
    expect(mounted.length).toBeGreaterThan(6);
  });

  it('says in its first lines what it needs', () => {
    const [head = ''] = text.split('\nname:');
    const needed = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name));
    expect([...needed].filter((name) => !head.includes(`${name}=`))).toEqual([]);
    expect(needed.size).toBe(5);
  });
});

describe('deploy/systemd/ponte.service', () => {
  const unit = new Map(
    [...read('deploy/systemd/ponte.service').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
  const environment = Object.fromEntries(
    (unit.get('Environment') ?? '').split(' ').map((pair) => pair.split('=') as [string, string]),
  );

  it('runs what the package holds', () => {
    const { files, scripts } = JSON.parse(read('package.json')) as {
      files: string[];
      scripts: Record<string, string>;
    };
    const [, options, main] = /^\/usr\/bin\/node (\S+) \/opt\/ponte\/node_modules\/ponte\/(\S+)$/.exec(
      unit.get('ExecStart') ?? '',
    )!;
    expect(files).toContain('dist/src');
    expect(scripts['start']).toContain(`${options} ${main}`);
  });

  it('sets what Ponte reads, keeps its data in its own folder, and waits until it has stopped', () => {
    expect(Object.keys(environment).filter((name) => !KNOWN.has(name))).toEqual([]);
    expect(environment['DATA_DIR']).toBe(`/var/lib/${unit.get('StateDirectory')}`);
    const { shutdownGraceSeconds } = new Settings(environment);
    expect(Number(unit.get('TimeoutStopSec'))).toBeGreaterThanOrEqual(shutdownGraceSeconds + AFTER_GRACE);
  });

  it('is installed by the commands of docs/deployment.md where nothing of it is there yet', () => {
    const machine = mkdtempSync(join(tmpdir(), 'ponte-systemd-'));
    try {
      mkdirSync(join(machine, 'etc', 'systemd', 'system'), { recursive: true });
      writeFileSync(join(machine, 'ponte.env'), '');
      const commands = read('docs/deployment.md')
        .split('\n')
        .filter((line) => line.startsWith('install '))
        .map((line) => line.replace(' /etc/', ` ${machine}/etc/`).replace('/path/to/', `${ROOT}/`));
      expect(commands).toHaveLength(2);
      for (const command of commands) execFileSync('sh', ['-c', command], { cwd: machine, stdio: 'pipe' });
      expect(existsSync(join(machine, 'etc', 'ponte', 'ponte.env'))).toBe(true);
      expect(existsSync(join(machine, 'etc', 'systemd', 'system', 'ponte.service'))).toBe(true);
    } finally {
      rmSync(machine, { recursive: true });
    }
  });
});
