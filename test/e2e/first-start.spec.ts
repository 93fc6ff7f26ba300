import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { readConfiguration } from '../../src/config/configuration';
import { Settings } from '../../src/config/settings';
import { PgliteDatabase } from '../../src/database/pglite.database';
import { type Service, startService } from '../../src/service';
import { embeddedDataDir } from '../support/database';

const HOST = '127.0.0.1';
const CONFIG_DIR = 'config';

describe('the first start', () => {
  let dataDir: string;
  let drop: () => Promise<void>;
  let stranger: Server;

  beforeEach(async () => {
    ({ dataDir, drop } = await embeddedDataDir());
    stranger = createServer().listen(0, HOST);
    await once(stranger, 'listening');
  });

  afterEach(async () => {
    stranger.close();
    await drop();
  });

  const start = async (port: number): Promise<Service> => {
    const settings = new Settings({
      PORT: String(port),
      CONFIG_DIR,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
    });
    const database = await PgliteDatabase.open(dataDir);
    return startService(settings, readConfiguration(CONFIG_DIR, {}), database);
  };

  it("that succeeds gives out the operators' key, also after one that failed for its port", async () => {
    const { port } = stranger.address() as AddressInfo;
    await expect(start(port)).rejects.toThrow(
      `another program listens on ${HOST}:${port}: stop it, or set PORT to a port that is free`,
    );
    const service = await start(0);
    expect(service.madeOperatorsKey).toMatch(/^ponte_/);
    await service.stop();
  });
});
