import { ListenError, listenOrExplain } from './listen-error';

const AT = { host: '127.0.0.1', port: 80 };
const refused = (error: Error) => listenOrExplain(AT, 'ADMIN_', () => Promise.reject(error));

it('says what to do about what the system says, with the setting that names the place', async () => {
  const error = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });
  await expect(refused(error)).rejects.toBeInstanceOf(ListenError);
  await expect(refused(error)).rejects.toThrow('set ADMIN_PORT to a port above 1023');
});

it('leaves an error as it is that the system has not named', async () => {
  const error = new TypeError('undefined is not a function');
  await expect(refused(error)).rejects.toBe(error);
});
