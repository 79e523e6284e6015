// With this module DialtoneAuth's parts for Apple's platforms are compiled. It uses nothing of it that Glibc lacks.
