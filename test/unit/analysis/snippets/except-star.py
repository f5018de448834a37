def gather(tasks):
    try:
        tasks.run()
    except* OSError as group:
        for error in group.exceptions:
            if error.errno:
                raise
    except* (ValueError, TypeError):
        pass
    else:
        return 1
    finally:
        tasks.close()


def plain(tasks):
    try:
        tasks.run()
    except OSError as error:
        return error
    except (ValueError, TypeError):
        pass
    except:
        while tasks:
            break
        else:
            return 2
